"""nbclient and jupyter_client on the installed kernel "restlab"; prints one line for each check."""

import sys
import time

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def run_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="restlab").execute()
    nbformat.validate(notebook)
    kinds = {output.output_type for cell in notebook.cells for output in cell.get("outputs", [])}
    assert "execute_result" in kinds, kinds
    assert "error" not in kinds, kinds
    print("ran", path.rsplit("/", 1)[-1])


def failing_cell():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("nobody()")])
    try:
        NotebookClient(notebook, timeout=60, kernel_name="restlab").execute()
    except CellExecutionError as error:
        assert "Cannot find name 'nobody'" in str(error), error
        print("a failing cell is a CellExecutionError")
    else:
        raise AssertionError("no error")


def interrupt_and_restart():
    manager, client = start_new_kernel(kernel_name="restlab")
    try:
        client.execute_interactive("const kept = 41;", timeout=60, output_hook=lambda _: None)
        client.execute("while (true) {}")
        time.sleep(1)
        started = time.time()
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=30)
        while reply["parent_header"].get("msg_type") != "execute_request":
            reply = client.get_shell_msg(timeout=30)
        assert reply["content"]["status"] == "error", reply
        assert time.time() - started < 10
        shown = []
        client.execute_interactive("kept + 1", timeout=60, output_hook=shown.append)
        data = [m["content"]["data"] for m in shown if m["msg_type"] == "execute_result"]
        assert data[0]["text/plain"] == "42", data
        print("an endless loop is interrupted and the state is kept")
        manager.restart_kernel()
        client.wait_for_ready(timeout=60)
        print("the kernel restarts")
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    assert not manager.is_alive()
    print("the kernel shuts down")


for name in sys.argv[1:]:
    run_notebook(name)
failing_cell()
interrupt_and_restart()
