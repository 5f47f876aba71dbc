"""The service: a native HTTP API, OpenAI-compatible routes, MCP and the page, over open indexes.

It needs the extra `serve`. `app.create_app` builds the application from `services.Services`.
"""
