"""Made-up and real single cases. Each function of the case modules that is marked `@case` is one."""

from compare import Report
from home import Home

CASES = {}


def case(function):
    """Marks a case; its name is the function's, its title the first line of its documentation."""
    CASES[function.__name__] = function
    return function


def names(wanted=None):
    """The names of the cases, all or those that contain one of the words."""
    import cases_acts, cases_entries, cases_events, cases_figures, cases_imports, cases_rounds, cases_time  # noqa: E401, F401
    return [name for name in CASES if not wanted or any(word in name for word in wanted)]


class Stage:
    """What a case works with: it makes homes, and they are dropped at the end."""

    def __init__(self, binary, report, keep):
        self.binary, self.report, self.keep, self.homes = binary, report, keep, []

    def home(self, event=None, now="2019-01-01T12:00:00-06:00"):
        home = Home(self.binary, event, now)
        self.homes.append(home)
        if event is None:
            self.report.same("init", 0, home.born.code)
        return home

    def done(self, home, kind, rows, **more):
        """An import that must be taken."""
        answer = home.load(kind, rows, **more)
        self.report.same(f"import {kind}", (0, ""), (answer.code, answer.said() if answer.code else ""))
        return answer

    def close(self):
        for home in self.homes:
            if self.keep:
                print(f"kept {home.dir}")
            else:
                home.drop()


def play(binary, name, keep=False):
    """Runs one case; gives its report."""
    report = Report(f"case {name}")
    stage = Stage(binary, report, keep)
    try:
        CASES[name](stage, report)
    except Exception as error:  # a case that breaks is a difference too, the others go on
        import traceback
        where = traceback.extract_tb(error.__traceback__)[-1]
        report.found.append(f"the case broke at {where.filename.rsplit('/', 1)[-1]}:{where.lineno}: {error!r}")
    finally:
        stage.close()
    return report
