"""The numbers that the hub's tests measure, shown at the end of the run."""


def pytest_terminal_summary(terminalreporter):
    lines = [
        value
        for report in terminalreporter.getreports("passed")
        for key, value in report.user_properties
        if key == "hub"
    ]
    if lines:
        terminalreporter.section("measured on the hub")
        for line in lines:
            terminalreporter.line(line)
