"""The local classifier: a sentence encoder and character n-grams, fitted from the manifests."""
