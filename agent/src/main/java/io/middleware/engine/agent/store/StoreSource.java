package io.middleware.engine.agent.store;

/** Where the settings of a store come from; they may differ at the next call. */
@FunctionalInterface
public interface StoreSource {
  /** FAILED_PRECONDITION, which names the setting, when one is missing or not valid. */
  StoreSettings settings();
}
