package io.middleware.engine.render.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The template language: CEL with its string, list and optional libraries, typed variables and
 * bounded work, without clock or randomness. Thread-safe.
 */
public final class CelEnvironment {
  /** Maximum loop iterations of one expression, including nested loops. */
  static final int MAX_ITERATIONS = 1000;

  private static final String RANGE = "lists.range";
  private static final String RANGE_OVERLOAD = "engine_lists_range_int";
  static final MapType TEXTS = MapType.create(SimpleType.STRING, SimpleType.STRING);
  static final MapType ANYTHING = MapType.create(SimpleType.STRING, SimpleType.DYN);

  static final MapType VOLUMES = MapType.create(SimpleType.STRING, ANYTHING);

  private static final Map<String, CelType> VARIABLES = new TreeMap<>();
  private static final Map<String, CelType> OF_ELEMENTS =
      Map.of("item", SimpleType.DYN, "ordinal", SimpleType.INT);

  static {
    List.of("name", "namespace", "app", "component", "group")
        .forEach(name -> VARIABLES.put(name, SimpleType.STRING));
    List.of("runtime", "images", "plugin", "labels", "selectorLabels", "parameters")
        .forEach(name -> VARIABLES.put(name, TEXTS));
    List.of(
            "resources",
            "storage",
            "affinity",
            "config",
            "monitoring",
            "access",
            "backup",
            "restore")
        .forEach(name -> VARIABLES.put(name, ANYTHING));
    VARIABLES.put("volumes", VOLUMES);
    VARIABLES.put("secrets", MapType.create(SimpleType.STRING, TEXTS));
    VARIABLES.put("replicas", SimpleType.INT);
  }

  private final CelCompiler compiler;
  private final CelRuntime runtime = runtime();

  /** Of templates. */
  public CelEnvironment() {
    this(VARIABLES);
  }

  /** Of templates that are rendered once for each element of a list. */
  public static CelEnvironment forEach() {
    var variables = new TreeMap<>(VARIABLES);
    variables.putAll(OF_ELEMENTS);
    return new CelEnvironment(variables);
  }

  /** The variables that only these templates have, and their types, as CEL writes them. */
  public static Map<String, String> elementVariables() {
    var types = new TreeMap<String, String>();
    OF_ELEMENTS.forEach((name, type) -> types.put(name, CelTypes.format(type)));
    return types;
  }

  /** The same language with other variables, and with functions that each evaluation brings. */
  CelEnvironment(Map<String, CelType> variables, CelFunctionDecl... lateBound) {
    this.compiler = compiler(variables, lateBound);
  }

  public static Set<String> variableNames() {
    return VARIABLES.keySet();
  }

  /** The type of a variable, as CEL writes it. */
  public static String typeOf(String variable) {
    return CelTypes.format(VARIABLES.get(variable));
  }

  public CelAbstractSyntaxTree check(String expression) throws CelValidationException {
    return compiler.compile(expression).getAst();
  }

  public CelRuntime.Program program(CelAbstractSyntaxTree checked) throws CelEvaluationException {
    return runtime.createProgram(checked);
  }

  private static CelCompiler compiler(
      Map<String, CelType> variables, CelFunctionDecl... lateBound) {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(options())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.strings(), lists(), CelExtensions.optional())
            .addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                    RANGE,
                    CelOverloadDecl.newGlobalOverload(
                        RANGE_OVERLOAD, ListType.create(SimpleType.INT), SimpleType.INT)));
    variables.forEach(builder::addVar);
    return builder.addFunctionDeclarations(lateBound).build();
  }

  private static CelRuntime runtime() {
    return CelRuntimeFactory.legacyCelRuntimeBuilder()
        .setOptions(options())
        .addLibraries(CelExtensions.strings(), lists(), CelExtensions.optional())
        .addFunctionBindings(
            CelFunctionBinding.fromOverloads(
                RANGE, CelFunctionBinding.from(RANGE_OVERLOAD, Long.class, CelEnvironment::range)))
        .build();
  }

  /** CEL reserves words for languages that it is embedded in; {@code namespace} is one of ours. */
  private static CelOptions options() {
    return CelOptions.current()
        .enableReservedIds(false)
        .comprehensionMaxIterations(MAX_ITERATIONS)
        .build();
  }

  /** All list functions except range, which has no upper limit in the library. */
  private static CelListsExtensions lists() {
    return CelExtensions.lists(EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.RANGE)));
  }

  private static List<Long> range(long end) throws CelEvaluationException {
    if (end > MAX_ITERATIONS) {
      throw new CelEvaluationException("lists.range(" + end + ") is longer than " + MAX_ITERATIONS);
    }
    return LongStream.range(0, end).boxed().toList();
  }
}
