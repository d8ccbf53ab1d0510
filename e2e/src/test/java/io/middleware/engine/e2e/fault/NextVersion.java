package io.middleware.engine.e2e.fault;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.e2e.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A next version of the engine whose runs cannot be replayed by this one, nor the other way round:
 * the source of the App's workflow with one more command at the start, compiled against the rest.
 */
final class NextVersion {
  private static final String SOURCE =
      "workflows/src/main/java/io/middleware/engine/workflows/AppChangeWorkflowImpl.java";

  private NextVersion() {}

  /**
   * Compiles what differs.
   *
   * @param folder where to compile it
   * @param engine the jars of this version
   * @return the folder of the classes that differ, to come first on the class path
   */
  static Path compiledTo(Path folder, Path engine) {
    var source = folder.resolve("source").resolve(Path.of(SOURCE).getFileName());
    var classes = folder.resolve("classes");
    var next =
        Yaml.read(SOURCE)
            .replace(
                "    FirstRequest.await(",
                "    Workflow.sleep(java.time.Duration.ofMillis(1));\n    FirstRequest.await(");
    try {
      Files.createDirectories(source.getParent());
      Files.createDirectories(classes);
      Files.writeString(source, next.text());
    } catch (IOException e) {
      throw new UncheckedIOException("write the next version to " + folder, e);
    }
    var options =
        List.of("-proc:none", "-cp", jars(engine), "-d", classes.toString(), source.toString());
    var code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError("the next version of %s does not compile".formatted(SOURCE));
    }
    return classes;
  }

  private static String jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).collect(joining(":"));
    } catch (IOException e) {
      throw new UncheckedIOException("list the jars of " + folder, e);
    }
  }
}
