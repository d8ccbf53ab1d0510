package io.middleware.engine.workflows.port;

import io.temporal.activity.ActivityInterface;
import java.util.List;
import java.util.Optional;

/** What is asked about Secrets while no change is under way. */
@ActivityInterface
public interface SecretActivities {

  /**
   * Reads Secrets as the accounts of the Apps that use them, and writes nothing.
   *
   * @return what is known; a Secret that nobody has answered for is left out
   */
  SecretsSeen look(SecretLook look);

  /**
   * What to read.
   *
   * @param system the namespace of the engine
   */
  record SecretLook(String cluster, String system, List<LookedUpApp> apps) {
    public SecretLook {
      apps = List.copyOf(apps);
    }
  }

  /**
   * An App and its Secrets.
   *
   * @param account that it names; empty for the default one
   */
  record LookedUpApp(
      String namespace, String name, Optional<String> account, List<LookedUpSecret> secrets) {
    public LookedUpApp {
      secrets = List.copyOf(secrets);
    }
  }

  /**
   * A Secret.
   *
   * @param keys that must have values, at least one
   */
  record LookedUpSecret(String name, List<String> keys) {
    public LookedUpSecret {
      keys = List.copyOf(keys);
    }
  }

  /** What was read. */
  record SecretsSeen(List<SeenSecret> secrets) {
    public SecretsSeen {
      secrets = List.copyOf(secrets);
    }
  }

  /**
   * A Secret of an App.
   *
   * @param text its version, which says nothing about its values; or what is wrong, for people
   */
  record SeenSecret(String namespace, String app, String name, SecretState state, String text) {}

  /** Whether there are values. */
  enum SecretState {
    FOUND,
    /** The Secret, a key or a value does not exist. */
    MISSING,
    /** The App's account may not read it. */
    FORBIDDEN
  }
}
