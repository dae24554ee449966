"""One text over the answers to several questions, and the proof that it says nothing that they do not say."""
