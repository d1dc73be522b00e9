"""The requests and answers of the API; the OpenAPI document is made from these types."""
