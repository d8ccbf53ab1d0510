package io.middleware.engine.agent.conformance;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program behind {@code dev/agent-check}: prints a line for each promise. */
public final class AgentCheck {
  private static final int BROKEN = 1;
  private static final int BAD_ARGUMENTS = 2;

  private AgentCheck() {}

  /** What the command line says. */
  private static final class Options {
    private String address = "";
    private String pod = "";
    private String action = "";
    private String longAction = "";
    private Optional<Path> tls = Optional.empty();
    private final List<String> questions = new ArrayList<>();
    private final Map<String, String> parameters = new HashMap<>();

    Options(List<String> arguments) {
      for (var left = arguments.iterator(); left.hasNext(); ) {
        var argument = left.next();
        if (!argument.startsWith("--")) {
          address = argument;
          continue;
        }
        if (!left.hasNext()) {
          throw new IllegalArgumentException(argument + " needs a value");
        }
        set(argument, left.next());
      }
      if (!address.matches(".+:[0-9]+")) {
        throw new IllegalArgumentException(
            "'%s' is not an address: use HOST:PORT".formatted(address));
      }
    }

    private void set(String option, String value) {
      switch (option) {
        case "--pod" -> pod = value;
        case "--action" -> action = value;
        case "--long-action" -> longAction = value;
        case "--tls" -> tls = Optional.of(Path.of(value));
        case "--question" -> questions.add(value);
        case "--reload" ->
            parameters.put(value.replaceFirst("=.*", ""), value.replaceFirst("^[^=]*=", ""));
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
  }

  public static void main(String[] args) throws IOException {
    try {
      System.exit(run(new Options(List.of(args)), System.out));
    } catch (IllegalArgumentException e) {
      System.err.println("agent-check: " + e.getMessage() + ": see dev/agent-check --help");
      System.exit(BAD_ARGUMENTS);
    }
  }

  private static int run(Options options, PrintStream out) throws IOException {
    var builder = NettyChannelBuilder.forTarget(options.address, credentials(options.tls));
    options.tls.ifPresent(folder -> builder.overrideAuthority("middleware-agent"));
    var channel = builder.build();
    try {
      var agent =
          new CheckedAgent(
              channel,
              options.pod,
              options.questions,
              options.action,
              options.longAction,
              options.parameters,
              CheckedAgent.LONGEST_QUESTION,
              CheckedAgent.LONGEST_SILENCE);
      return report(agent, out);
    } finally {
      channel.shutdownNow();
    }
  }

  private static ChannelCredentials credentials(Optional<Path> tls) throws IOException {
    if (tls.isEmpty()) {
      return InsecureChannelCredentials.create();
    }
    return TlsChannelCredentials.newBuilder()
        .keyManager(tls.get().resolve("tls.crt").toFile(), tls.get().resolve("tls.key").toFile())
        .trustManager(tls.get().resolve("ca.crt").toFile())
        .build();
  }

  private static int report(CheckedAgent agent, PrintStream out) {
    var kept = 0;
    var broken = 0;
    var leftOut = 0;
    for (var promise : AgentConformance.of(agent).toList()) {
      try {
        promise.check().run();
        kept++;
        out.printf("kept      %s%n", promise.name());
      } catch (Promise.NotApplicableException e) {
        leftOut++;
        out.printf("left out  %s: %s%n", promise.name(), e.getMessage());
      } catch (Exception e) {
        broken++;
        out.printf("BROKEN    %s: %s%n", promise.name(), e.getMessage());
      }
    }
    out.printf("%d promises kept, %d broken, %d left out%n", kept, broken, leftOut);
    return broken == 0 ? 0 : BROKEN;
  }
}
