package io.middleware.engine.agent.command;

import java.util.Optional;

/**
 * The files with names that the agent knows: a file is a command, and with {@code .http} behind its
 * name it is a request to the middleware.
 */
record KnownCommands(CommandFolder folder, HttpCalls http) {
  private static final String HTTP = ".http";

  /** Empty when there is no file of this name; a command goes before a request. */
  Optional<CommandFile> find(String name) {
    return folder
        .command(name)
        .<CommandFile>map(line -> new Script(name, line, folder.place()))
        .or(() -> folder.text(name + HTTP).map(text -> http.call(name, text)));
  }

  static boolean isRequest(String file) {
    return file.endsWith(HTTP);
  }
}
