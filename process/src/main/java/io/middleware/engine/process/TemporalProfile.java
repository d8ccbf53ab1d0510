package io.middleware.engine.process;

import io.middleware.engine.process.settings.SettingsException;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import java.io.IOException;
import java.util.Map;

/**
 * Temporal's address and credentials: from the settings, otherwise from the TEMPORAL_* variables,
 * otherwise from the profile, otherwise a server on this machine. A configuration file is read only
 * if it or a profile is named.
 */
final class TemporalProfile {
  private static final String ADDRESS = "127.0.0.1:7233";
  private static final String NAMESPACE = "middleware";

  private TemporalProfile() {}

  static ClientConfigProfile of(
      EngineSettings.TemporalSettings settings, Map<String, String> environment) {
    ClientConfigProfile found = load(settings, environment);
    return found.toBuilder()
        .setAddress(first(settings.address(), found.getAddress(), ADDRESS))
        .setNamespace(first(settings.namespace(), found.getNamespace(), NAMESPACE))
        .build();
  }

  private static ClientConfigProfile load(
      EngineSettings.TemporalSettings settings, Map<String, String> environment) {
    boolean isFileNamed =
        !settings.profile().isEmpty()
            || environment.containsKey("TEMPORAL_PROFILE")
            || environment.containsKey("TEMPORAL_CONFIG_FILE");
    var options =
        LoadClientConfigProfileOptions.newBuilder()
            .setEnvOverrides(environment)
            .setConfigFileStrict(true)
            .setDisableFile(!isFileNamed);
    if (!settings.profile().isEmpty()) {
      options.setConfigFileProfile(settings.profile());
    }
    try {
      return ClientConfigProfile.load(options.build());
    } catch (IOException | RuntimeException e) {
      throw new SettingsException("temporal.profile or TEMPORAL_*: " + e.getMessage());
    }
  }

  private static String first(String chosen, String found, String fallback) {
    if (!chosen.isEmpty()) {
      return chosen;
    }
    return found == null || found.isEmpty() ? fallback : found;
  }
}
