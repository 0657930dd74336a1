"""Jupyter's own conformance suite (jupyter_kernel_test) on the installed kernel "restlab"."""

import unittest

import jupyter_kernel_test


class RestlabKernel(jupyter_kernel_test.KernelTests):
    kernel_name = "restlab"
    language_name = "typescript"
    file_extension = ".ts"

    code_hello_world = "console.log('hello, world')"
    code_stderr = "console.error('oops')"
    completion_samples = [
        {"text": "consol", "matches": {"console"}},
        {"text": "client.setV", "matches": {"setVar"}},
    ]
    complete_code_samples = ["1", "const x = 1;", "GET http://127.0.0.1/", "(() => { return 1 })()"]
    incomplete_code_samples = ["function f() {", "const x = [1,", "`text"]
    invalid_code_samples = ["let 1x ="]
    code_generate_error = "throw new RangeError('too far')"
    code_execute_result = [
        {"code": "1 + 2 + 3", "result": "6"},
        {"code": "'a' + 'b'", "result": "ab"},
    ]
    code_display_data = [
        {"code": "display('shown')", "mime": "text/plain"},
        {"code": "display([{ id: 1 }, { id: 2 }])", "mime": "text/html"},
    ]
    code_clear_output = "clearOutput()"
    code_history_pattern = "1 + 2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "client.setVar"
    code_page_something = None


if __name__ == "__main__":
    unittest.main()
