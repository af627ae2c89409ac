"""Code that runs in the sandbox together with the tool.

It needs only the standard library, numpy and cv2. The host also uses the modules `wire` and `second_filter`.
"""
