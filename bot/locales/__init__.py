"""Every text a person reads, one folder per language, one file per noun."""
