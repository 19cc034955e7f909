"""Numba's compiler with other settings, for rules and kernels alone: all that touches Numba's inside.

Nothing of Numba is changed. Rules and kernels name `RuleCompiler` or `KernelCompiler` as their pipeline, and what that
makes (contexts, code libraries) are subclasses of Numba's own, so that functions of other programs in the same process
are compiled exactly as if this package were not there. Six things are different for ours:

- **Optimised once.** Numba optimises every function and makes machine code of it before it is linked into its callers,
  and optimises it again there; and what a function calls is linked into it and so, over and over, into whatever calls
  it. For some two hundred small rules that is most of the time of a cold start. A rule stays as it was lowered, alone;
  the kernel that needs it links all its rules once and is optimised as a whole, knowing that nobody else calls them.
- **Inlined further, not vectorised.** A rule that calls a rule passes everything through memory, and half a dozen rules
  are called for every card and city. Loops take three to twelve turns: vectorised they compile three times as long and
  run slower.
- **No index counts from the end of an array**, so its sign is not looked at. With bounds checks a negative one is an
  error.
- **Records do not overlap** that are passed to a rule: a position, a board, a desk, the arrays of a fleet. What was
  read from one need not be read again because something was written to another.
- **Compiled in fewer steps.** Passes that find nothing to do in rules are left out, and no garbage is collected.
- **Loaded without Numba.** A kernel's machine code needs nothing that Numba would have to compile before it is loaded;
  `object_code` keeps it on disk.

This reaches into Numba, so it is used only with versions it was tested with; ELCAPITAN_PLAIN_NUMBA=1 leaves it out.
The rules are the same without it, but compile several times as long and run more slowly.
"""

import contextlib
import copy
import ctypes
import gc
import operator
import os
import warnings
from collections.abc import Iterator
from typing import Any, ClassVar, Final

import llvmlite
import numba
from llvmlite import binding
from numba import _dynfunc, types
from numba.core import codegen, compiler, compiler_machinery, config, cpu, registry
from numba.core.runtime import rtsys

from elcapitan.engine import object_code

PLAIN_VARIABLE: Final = "ELCAPITAN_PLAIN_NUMBA"
TESTED: Final = {"numba": ("0.68",), "llvmlite": ("0.50",)}  # minor versions; `make plain` tests without all this
INLINE_THRESHOLD: Final = 1500  # LLVM's cost of a call that is still worth inlining; its own choice is 225
MOST_OF_LLVMLITE: Final = 255  # the highest threshold that its setter takes
THRESHOLD_AT: Final = 20  # bytes from the beginning of LLVM's PipelineTuningOptions
# Passes for what rules and kernels do not have: closures, `with` blocks, constants to choose a branch by, and the like.
LEFT_OUT: Final = frozenset(
    {
        "with_lifting",
        "inline_closure_likes",
        "rewrite_semantic_constants",
        "dead_branch_prune",
        "generic_rewrites",
        "make_function_op_code_to_jit_function",
        "inline_inlinables",
        "find_literally",
        "literal_unroll",
        "LiteralPropagation",
        "inline_overloads",
        "nopython_rewrites",
        "dump_parfor_diagnostics",
    }
)
# What Python reaches when it calls a compiled rule as if it were a kernel: a TypeError.
REFUSE: Final = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


def is_wanted() -> bool:
    """Whether rules and kernels are compiled by this pipeline; warns if it is left out because of a version."""
    if config.DISABLE_JIT or os.environ.get(PLAIN_VARIABLE, "0") not in ("", "0"):
        return False
    found = {"numba": numba.__version__, "llvmlite": llvmlite.__version__}
    untested = [f"{name} {version}" for name, version in found.items() if _minor(version) not in TESTED[name]]
    if untested:
        what = " and ".join(untested)
        warnings.warn(f"the rules compile and run more slowly: they were not tested with {what}", stacklevel=2)
    return not untested


def _minor(version: str) -> str:
    """A version without all but its first two numbers."""
    return ".".join(version.split(".")[:2])


def prepare() -> None:
    """Prepare Numba to compile, as it does before the first function by itself: a process that forks does it once."""
    target = registry.cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    rtsys.initialize(target.target_context)


class KernelContext(cpu.CPUContext):  # type: ignore[misc]
    """How a rule or kernel is lowered: like any function, but for integer indices of arrays."""

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """The code of an operation. An index of an array is taken as unsigned: it is used as it is."""
        if sig.args and isinstance(sig.args[0], types.Array):
            key = fn.get_impl_key(sig) if isinstance(fn, types.Callable) else fn
            if key in (operator.getitem, operator.setitem):
                array, index, *value = sig.args
                fn, sig = key, sig.replace(args=(array, _unsigned(index), *value))
        return super().get_function(fn, sig, _firstcall)


class RuleContext(KernelContext):
    """How a rule is lowered: there is nothing in it to be called from Python."""

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """What Python has of a compiled rule: something that refuses to be called."""
        name = fndesc.qualname.split(".")[-1]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "a rule", REFUSE, env, (library,))


def _unsigned(index: Any) -> Any:
    """The type of an index as it is used when it is never negative: of the same size and layout."""
    if index == types.intp:
        return types.uintp
    if isinstance(index, types.UniTuple):
        return types.UniTuple(_unsigned(index.dtype), index.count)
    if isinstance(index, types.Tuple):
        parts = types.Tuple([_unsigned(part) for part in index])
        return parts if isinstance(parts, types.Tuple) else index  # equal parts would be laid out as an array
    return index


class RuleLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of one rule as it was lowered, not optimised and not made machine code of."""

    def finalize(self) -> None:
        """Nothing more comes in."""
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def alone(self) -> "Alone":
        """This rule without those that it calls."""
        return Alone(self._reload_init, super()._get_module_for_linking())

    def _get_module_for_linking(self) -> Any:
        """This rule with all that it calls: for a function of another program."""
        module = super()._get_module_for_linking().clone()
        for library in _called_by(self):
            module.link_in(library._get_module_for_linking(), preserve=True)
        return module


class Alone:
    """A code library to be linked, as far as the one that links it looks at it."""

    def __init__(self, reload_init: Any, module: Any) -> None:
        self._reload_init, self._module = reload_init, module

    def _get_module_for_linking(self) -> Any:
        return self._module


def _called_by(library: Any) -> list[Any]:
    """All libraries that one needs: each rule alone, and what the rules need."""
    known = dict.fromkeys(library._linking_libraries)
    unseen = list(known)
    while unseen:
        inner = unseen.pop()
        if isinstance(inner, RuleLibrary):
            unseen += [each for each in inner._linking_libraries if each not in known]
            known |= dict.fromkeys(inner._linking_libraries)
    return [each.alone() if isinstance(each, RuleLibrary) else each for each in known]


def set_inlining_threshold(tuning: Any, cost: int) -> None:
    """Set up to which cost calls are inlined.

    llvmlite keeps only eight bits of what it is told, so the number is written into LLVM's own settings, if it is found
    there.
    """
    tuning.inlining_threshold = cost
    if tuning.inlining_threshold == cost:
        return
    tuning.inlining_threshold = MOST_OF_LLVMLITE
    begin = ctypes.cast(tuning._ptr, ctypes.c_void_p).value or 0
    number = ctypes.c_int.from_address(begin + THRESHOLD_AT)
    if number.value == MOST_OF_LLVMLITE:
        number.value = cost


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel and of all its rules, optimised together."""

    helpers: tuple[str, ...] = ()  # functions of Numba that it calls

    def finalize(self) -> None:
        """Link every rule once, then make machine code."""
        self._linking_libraries = _called_by(self)
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"  # nobody else calls it: it can be taken apart
        inside = self._codegen
        first = {"loop_vectorize": inside._loopvect, "slp_vectorize": False, "opt": inside._opt_level, "cost": "cheap"}
        passes, builder = inside._module_pass_manager(**first)  # as Numba does: references are counted less after it
        passes.run(self._final_module, builder)
        tuning = binding.create_pipeline_tuning_options(speed_level=config.OPT)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        set_inlining_threshold(tuning, INLINE_THRESHOLD)
        builder = binding.create_pass_builder(inside._tm, tuning)
        passes = builder.getModulePassManager()
        if config.LLVM_REFPRUNE_PASS:
            passes.add_refprune_pass(codegen._parse_refprune_flags())
        passes.run(self._final_module, builder)
        self._link_runtime()

    def _link_runtime(self) -> None:
        """Link what Numba itself compiles for counting references, and note which functions of Numba are called."""
        module = self._final_module
        module.link_in(rtsys.library._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if function.name.startswith("NRT_") and not function.is_declaration:
                function.linkage = "internal"
        prefixes = tuple(object_code.HELPERS.values())
        declared = [each.name for each in module.functions if each.is_declaration]
        self.helpers = tuple(name for name in declared if name.startswith(prefixes))


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Collect no garbage during a `with` block: compiling makes little, but so many objects that looking takes long."""
    wanted = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if wanted:
            gc.enable()


class Passes(compiler_machinery.PassManager):  # type: ignore[misc]
    """Numba's passes for rules and kernels: all but those that find nothing to do there.

    They run without being measured and described one by one.
    """

    def __init__(self, wanted: list[Any]) -> None:
        super().__init__("rules")
        self.passes = [one for one in wanted if one[0].name() not in LEFT_OUT]
        self.finalize()

    def _runPass(self, _index: int, one: Any, state: Any) -> None:  # noqa: N802 - Numba's name
        """Run a pass of the compiler without measuring its time and memory."""
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    """The pipeline of a kernel."""

    context: type[KernelContext] = KernelContext
    library: type[codegen.JITCodeLibrary] = KernelLibrary
    passes: ClassVar[Passes | None] = None

    def compile_extra(self, func: Any) -> Any:
        """Compile a function in a context and a library of our own."""
        state = self.state
        own = copy.copy(state.targetctx)
        own.__class__ = self.context
        state.targetctx = own
        state.library = self.library(own.codegen(), func.__qualname__)
        state.library.enable_object_caching()
        with no_garbage_collection():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """The same passes for all rules and kernels."""
        if self.passes is None:
            KernelCompiler.passes = Passes(super().define_pipelines()[0].passes)
        return [self.passes]


class RuleCompiler(KernelCompiler):
    """The pipeline of a rule."""

    context = RuleContext
    library = RuleLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a rule; what is passed to it never overlaps."""
        self.state.flags.noalias = True
        return super().compile_extra(func)


def compile_once(dispatcher: Any) -> None:
    """Compile a rule for whole numbers, not once more for every constant it is called with.

    Numba types the constant 11 as "the integer 11" and would make a version of the rule for it. It also measures how
    long each function compiles, once for all that are being compiled meanwhile: a tenth of the time.
    """
    ask = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: ask(tuple(types.unliteral(a) for a in args), kws)

    def compile_unmeasured(args: Any) -> Any:
        if args not in dispatcher.overloads:
            dispatcher.add_overload(dispatcher._compiler.compile(args, None))
        return dispatcher.overloads[args].entry_point

    dispatcher.compile = compile_unmeasured


def code_of(result: Any) -> object_code.Kernel:
    """Return the machine code of a compiled kernel, with the names that are needed to load it without Numba."""
    assert not result.environment.consts, "a kernel that keeps Python objects cannot be loaded without Numba"
    described, library = result.fndesc, result.library
    code = bytes(library._get_compiled_object())
    return object_code.Kernel(code, described.llvm_cpython_wrapper_name, described.env_name, library.helpers)
