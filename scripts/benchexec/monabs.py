"""How BenchExec runs monabs and reads its answers; see README.md beside this file."""

import re

import benchexec.result as result
import benchexec.tools.template

# The last line of an answer.
VERDICT = re.compile(r"VERIFICATION (SUCCESSFUL|FAILED|UNKNOWN)")
# The line before it, if there was a property file.
VIOLATION = re.compile(r"false\(([a-z-]+)\)")
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-data-race": result.RESULT_FALSE_DATARACE,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
}
# Reasons not to know that have a name in the tables of BenchExec; all others are just unknown.
REASONS = {
    "reason: time limit reached": result.RESULT_TIMEOUT,
    "reason: memory limit reached": "OUT OF MEMORY",
}
# Exit codes without a verdict.
FAILURES = {1: "wrong usage", 2: "input not accepted", 6: "bug in monabs"}
DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}
# So many of the last lines are looked at: the verdict, the line for the property, the reason, and warnings that come late.
LAST_LINES = 20


class Tool(benchexec.tools.template.BaseTool2):
    """monabs proves multi-threaded C programs safe for every number of threads, or shows a run that fails."""

    def name(self):
        return "monabs"

    def executable(self, tool_locator):
        return tool_locator.find_executable("monabs")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="monabs")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, *options]
        if task.property_file:
            command += ["--spec", task.property_file]
        command += data_model(options, task)
        command += limits(options, rlimits)
        return [*command, task.single_input_file]

    def determine_result(self, run):
        lines = [line.strip() for line in run.output[-LAST_LINES:]]
        verdicts = [at for at, line in enumerate(lines) if VERDICT.fullmatch(line)]
        if not verdicts:
            return without_verdict(run)
        verdict = VERDICT.fullmatch(lines[verdicts[-1]]).group(1)
        before = lines[: verdicts[-1]]
        if verdict == "SUCCESSFUL":
            return result.RESULT_TRUE_PROP
        if verdict == "FAILED":
            return violation(before)
        return reason(before)

    def get_value_from_output(self, output, identifier):
        # The table of --stats: a name, at least two spaces, a value.
        row = re.compile(re.escape(identifier) + r" {2,}(.+)")
        matches = (row.fullmatch(line) for line in output)
        return next((match.group(1) for match in matches if match), None)


def data_model(options, task):
    """The sizes of the task, unless the user chose; older tasks say nothing, then monabs' own default holds."""
    chosen = isinstance(task.options, dict) and task.options.get("data_model")
    if not chosen or any(model in options for model in DATA_MODELS.values()):
        return []
    if chosen not in DATA_MODELS:
        raise benchexec.tools.template.UnsupportedFeatureException(f"data model {chosen} is not supported")
    return [DATA_MODELS[chosen]]


def limits(options, rlimits):
    """Limits for monabs, which then says what it has, a little below those at which BenchExec ends it. Its time is wall time."""
    own = {}
    times = [time for time in (rlimits.cputime, rlimits.walltime) if time]
    if times:
        own["--timeout"] = max(1, min(times) - 1)
    if rlimits.memory:
        own["--memory-limit"] = max(1, rlimits.memory * 9 // 10 >> 20)
    if rlimits.cpu_cores:
        own["--threads"] = rlimits.cpu_cores
    given = {option.split("=")[0] for option in options}
    return [word for name, value in own.items() if name not in given for word in (name, str(value))]


def violation(lines):
    """Which property is violated; without a property file only that one is."""
    found = [match.group(1) for match in map(VIOLATION.fullmatch, lines) if match]
    return VIOLATIONS.get(found[-1], result.RESULT_FALSE_PROP) if found else result.RESULT_FALSE_PROP


def reason(lines):
    """Why there is no answer."""
    for line in reversed(lines):
        for beginning, status in REASONS.items():
            if line.startswith(beginning):
                return status
    return result.RESULT_UNKNOWN


def without_verdict(run):
    """What is shown if monabs said nothing; BenchExec adds by itself that it ended a run, or a signal did."""
    what = FAILURES.get(run.exit_code.value)
    return f"{result.RESULT_ERROR} ({what})" if what else result.RESULT_ERROR
