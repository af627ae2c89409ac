"""Pydantic models of the API's resources, shared by routes and adapters."""
