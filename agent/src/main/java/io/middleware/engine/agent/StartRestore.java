package io.middleware.engine.agent;

/** Fills a pod from a backup before its middleware starts. */
interface StartRestore {
  /** Returns what happened, for people. Failures are those of a store. */
  String restore();

  /** What the settings ask for. Throws IllegalArgumentException when one is not valid. */
  static StartRestore from(EnvironmentVariables env) {
    return CommandRestoreSettings.areIn(env)
        ? CommandRestoreSettings.from(env)
        : RestoreSettings.from(env);
  }

  static boolean isAskedFor(EnvironmentVariables env) {
    return RestoreSettings.areIn(env) || CommandRestoreSettings.areIn(env);
  }
}
