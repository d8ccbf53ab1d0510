package io.middleware.engine.worker.render;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.planning.OfflinePlan;
import io.middleware.engine.planning.OfflinePlan.GroupObjects;
import io.middleware.engine.planning.OfflinePlan.OfflineOutcome;
import io.middleware.engine.render.GroupRenderer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a Plugin and an App, validates them and prints the rendered objects. */
final class RenderCommand {
  static final int DONE = 0;
  static final int REFUSED = 1;
  static final int MISUSED = 2;

  private static final String USAGE =
      "usage: PLUGIN.yaml APP.yaml [--store STORE.yaml] [--component NAME] [--group NAME]";
  private static final Duration KEEP = Duration.ofMinutes(1);

  /** The engine's namespace, unless it is installed elsewhere. */
  private static final String ENGINE = "middleware-system";

  private final PrintStream out;
  private final PrintStream err;
  private final KubernetesSerialization yaml = new KubernetesSerialization();

  RenderCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  private record Options(
      Path plugin,
      Path app,
      Optional<Path> store,
      Optional<String> component,
      Optional<String> group) {

    /**
     * @throws IllegalArgumentException when the arguments are not valid
     */
    static Options of(List<String> arguments) {
      var files = new ArrayList<Path>();
      Optional<Path> store = Optional.empty();
      Optional<String> component = Optional.empty();
      Optional<String> group = Optional.empty();
      var remaining = new ArrayDeque<>(arguments);
      while (!remaining.isEmpty()) {
        var argument = remaining.poll();
        switch (argument) {
          case "--store" -> store = Optional.ofNullable(remaining.poll()).map(Path::of);
          case "--component" -> component = Optional.ofNullable(remaining.poll());
          case "--group" -> group = Optional.ofNullable(remaining.poll());
          default -> files.add(file(argument));
        }
      }
      if (files.size() != 2) {
        throw new IllegalArgumentException(USAGE);
      }
      return new Options(files.getFirst(), files.getLast(), store, component, group);
    }

    private static Path file(String argument) {
      if (argument.startsWith("-")) {
        throw new IllegalArgumentException("unknown option " + argument + "; " + USAGE);
      }
      return Path.of(argument);
    }

    boolean selects(GroupObjects objects) {
      return component.map(objects.component()::equals).orElse(true)
          && group.map(objects.group()::equals).orElse(true);
    }
  }

  int run(List<String> arguments) {
    Options options;
    try {
      options = Options.of(arguments);
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return MISUSED;
    }
    try {
      return render(options);
    } catch (InvalidInputException e) {
      e.lines().forEach(err::println);
      return REFUSED;
    }
  }

  private int render(Options options) {
    var inputs = RenderInputs.read(options.plugin(), options.app(), options.store());
    var renderer = new GroupRenderer(inputs::text, inputs, ENGINE, KEEP);
    var offlinePlan = new OfflinePlan(renderer);
    return switch (offlinePlan.of(inputs.app(), inputs.plugin())) {
      case OfflineOutcome.RenderedApp(var groups) -> print(groups, options);
      case OfflineOutcome.RefusedApp(var reason, var message) -> refused(reason, message);
    };
  }

  private int print(List<GroupObjects> groups, Options options) {
    var selected = groups.stream().filter(options::selects).toList();
    if (selected.isEmpty()) {
      err.println(
          "the App has no such group; its groups are "
              + String.join(", ", groups.stream().map(RenderCommand::name).toList()));
      return MISUSED;
    }
    for (var group : selected) {
      for (var object : group.objects()) {
        var text = yaml.asYaml(object.tree());
        out.print(text.replaceFirst("^(---\n)?", "---\n# " + name(group) + "\n"));
      }
    }
    var objects = selected.stream().mapToInt(group -> group.objects().size()).sum();
    err.println("accepted (groups: %d, objects: %d)".formatted(selected.size(), objects));
    return DONE;
  }

  private int refused(String reason, String message) {
    err.println(reason + ": " + message);
    switch (reason) {
      case Reasons.TEMPLATE_ERROR ->
          err.println(
              "(line:column) is the position within the text of that field; variables and functions:"
                  + " docs/plugins.md, The language of templates");
      case Reasons.OUTPUT_REFUSED ->
          err.println("what may be rendered, and why: docs/plugins.md, What the guard refuses");
      default -> {}
    }
    return REFUSED;
  }

  private static String name(GroupObjects group) {
    return group.component() + "/" + group.group();
  }
}
