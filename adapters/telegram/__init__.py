"""Telegram as a platform: the Bot API by long polling or webhook."""
