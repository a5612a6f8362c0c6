"""The stores: each implements the ports of bot.core."""
