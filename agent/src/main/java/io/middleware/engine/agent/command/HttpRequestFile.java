package io.middleware.engine.agent.command;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file with a request: its first line is the method and the URL, a second one with {@code body:}
 * the expression of what is sent, and the rest the expression of the answer.
 */
record HttpRequestFile(
    String method, URI url, Optional<CelRuntime.Program> body, CelRuntime.Program answer) {
  private static final Pattern FIRST_LINE =
      Pattern.compile(
          "(GET|HEAD|POST|PUT|PATCH|DELETE)\\s+(http://127\\.0\\.0\\.1(:[0-9]{1,5})?(/[^\\s\"<>\\\\^`{|}]*)?)");
  private static final int MOST_PORT = 65_535;
  private static final String BODY = "body:";
  private static final MapType TEXTS = MapType.create(SimpleType.STRING, SimpleType.STRING);
  private static final CelOptions OPTIONS =
      CelOptions.current().comprehensionMaxIterations(1000).build();

  static HttpRequestFile of(String name, String text) {
    var lines = text.strip().split("\n", 2);
    var first = FIRST_LINE.matcher(lines[0].strip());
    if (!first.matches()) {
      throw invalid(
          name,
          "the first line must be a method and a URL of this pod, such as 'GET http://127.0.0.1:8008/patroni', but is '%s'"
              .formatted(lines[0].strip()));
    }
    var rest = lines.length > 1 ? lines[1].strip() : "";
    var body = Optional.<CelRuntime.Program>empty();
    if (rest.startsWith(BODY)) {
      var parts = rest.substring(BODY.length()).split("\n", 2);
      body = Optional.of(program(name, parts[0].strip()));
      rest = parts.length > 1 ? parts[1].strip() : "";
    }
    return new HttpRequestFile(
        first.group(1), url(name, first.group(2)), body, program(name, rest));
  }

  /** The same of a pod with this address. */
  HttpRequestFile at(String address) {
    var there = URI.create(url.toString().replace("//" + CommandPlace.LOCAL, "//" + address));
    return new HttpRequestFile(method, there, body, answer);
  }

  private static URI url(String name, String text) {
    try {
      var url = new URI(text);
      if (url.getPort() <= MOST_PORT) {
        return url;
      }
      throw invalid(name, "%s is above the largest port".formatted(url.getPort()));
    } catch (URISyntaxException e) {
      throw invalid(name, "'%s' is not a URL: %s".formatted(text, e.getMessage()));
    }
  }

  private static CelRuntime.Program program(String name, String expression) {
    try {
      return CelRuntimeFactory.standardCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelExtensions.strings(), CelExtensions.optional())
          .build()
          .createProgram(compiler().compile(expression).getAst());
    } catch (CelValidationException | CelEvaluationException e) {
      throw invalid(name, "'%s' is not an expression: %s".formatted(expression, e.getMessage()));
    }
  }

  private static CelCompiler compiler() {
    return CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addLibraries(CelExtensions.strings(), CelExtensions.optional())
        .addVar("status", SimpleType.INT)
        .addVar("body", SimpleType.DYN)
        .addVar("env", TEXTS)
        .addVar("parameters", TEXTS)
        .build();
  }

  private static StatusRuntimeException invalid(String name, String why) {
    return Status.FAILED_PRECONDITION
        .withDescription("%s.http: %s".formatted(name, why))
        .asRuntimeException();
  }
}
