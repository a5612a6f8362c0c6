"""Parts of the application, put together from the settings for `bot.app`."""
