package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** All variables of a container, as the kubelet makes them. */
record ContainerEnvironment(Pod pod, Container container, VolumeFiles objects) {

  static ContainerEnvironment of(Pod pod, Container container, KubernetesClient client) {
    var objects = new VolumeFiles(client, pod.getMetadata().getNamespace());
    return new ContainerEnvironment(pod, container, objects);
  }

  /** Throws IllegalStateException when a ConfigMap, a Secret or a key of them is missing. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    container.getEnvFrom().forEach(source -> variables.putAll(all(source)));
    for (var variable : container.getEnv()) {
      value(variable, variables).ifPresent(value -> variables.put(variable.getName(), value));
    }
    return variables;
  }

  private Map<String, String> all(EnvFromSource source) {
    var map = source.getConfigMapRef();
    var secret = source.getSecretRef();
    Map<String, byte[]> data =
        map != null
            ? objects.configMap(map.getName(), Boolean.TRUE.equals(map.getOptional()))
            : objects.secret(secret.getName(), Boolean.TRUE.equals(secret.getOptional()));
    var prefix = source.getPrefix() == null ? "" : source.getPrefix();
    Map<String, String> variables = new LinkedHashMap<>();
    data.forEach((key, value) -> variables.put(prefix + key, text(value)));
    return variables;
  }

  private Optional<String> value(EnvVar variable, Map<String, String> earlier) {
    if (variable.getValueFrom() != null) {
      return value(variable.getValueFrom());
    }
    var value = variable.getValue() == null ? "" : variable.getValue();
    return Optional.of(ContainerCommand.filled(value, earlier));
  }

  private Optional<String> value(EnvVarSource source) {
    var map = source.getConfigMapKeyRef();
    var secret = source.getSecretKeyRef();
    if (map != null) {
      var optional = Boolean.TRUE.equals(map.getOptional());
      return value(objects.configMap(map.getName(), optional), map.getKey(), optional);
    } else if (secret != null) {
      var optional = Boolean.TRUE.equals(secret.getOptional());
      return value(objects.secret(secret.getName(), optional), secret.getKey(), optional);
    }
    var field = source.getFieldRef();
    return Optional.of(field == null ? "" : DownwardApi.value(pod, field.getFieldPath()));
  }

  private static Optional<String> value(Map<String, byte[]> data, String key, boolean optional) {
    if (!data.containsKey(key) && !optional) {
      throw new IllegalStateException("there is no key " + key);
    }
    return Optional.ofNullable(data.get(key)).map(ContainerEnvironment::text);
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
