"""Feishu (Lark): long connection and webhook, cards, CardKit streaming."""
