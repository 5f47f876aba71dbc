"""Routes that clients of the OpenAI API use as they are: models, chat completions, embeddings and
reranking, with the citations of an answer as annotations of its message.
"""
