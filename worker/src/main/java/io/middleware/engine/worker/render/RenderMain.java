package io.middleware.engine.worker.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.List;

/** Renders an App with a Plugin; the exit code is 0 if the engine would accept both. */
public final class RenderMain {
  private RenderMain() {}

  public static void main(String[] arguments) {
    var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
    var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8);
    var code = new RenderCommand(out, err).run(List.of(arguments));
    out.flush();
    System.exit(code);
  }
}
