"""Language models behind `bot.core.model`: any endpoint that speaks OpenAI's chat completions."""
