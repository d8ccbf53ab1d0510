package io.middleware.engine.agent.command;

import io.middleware.engine.agent.driver.ProgressSink;

/** A file of the folder with a name that the agent knows, and what it does when it is called. */
interface CommandFile {

  /**
   * Returns how it ended, whether well or not.
   *
   * @param progress receives what it says meanwhile
   */
  CommandAnswer call(CommandInput input, ProgressSink progress) throws InterruptedException;
}
