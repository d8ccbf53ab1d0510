package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The command of a container, with every {@code $(NAME)} filled in as the kubelet does. */
record ContainerCommand(List<String> arguments) {
  ContainerCommand {
    arguments = List.copyOf(arguments);
  }

  /** The container of this name. */
  static Container container(Pod pod, String name) {
    return pod.getSpec().getContainers().stream()
        .filter(one -> one.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "pod %s/%s has no container %s"
                        .formatted(
                            pod.getMetadata().getNamespace(), pod.getMetadata().getName(), name)));
  }

  static ContainerCommand of(Pod pod, Container container) {
    var environment = environment(pod, container);
    List<String> arguments = new ArrayList<>();
    for (var argument : all(container).toList()) {
      var filled = argument;
      for (var variable : environment.entrySet()) {
        filled = filled.replace("$(" + variable.getKey() + ")", variable.getValue());
      }
      arguments.add(filled);
    }
    return new ContainerCommand(arguments);
  }

  private static Stream<String> all(Container container) {
    return Stream.concat(container.getCommand().stream(), container.getArgs().stream());
  }

  /** The variables of a container, by name. */
  static Map<String, String> environment(Pod pod, Container container) {
    Map<String, String> environment = new HashMap<>();
    container.getEnv().forEach(one -> environment.put(one.getName(), value(pod, one)));
    return environment;
  }

  private static String value(Pod pod, EnvVar variable) {
    var field = variable.getValueFrom() == null ? null : variable.getValueFrom().getFieldRef();
    return switch (field == null ? "" : field.getFieldPath()) {
      case "status.podIP" -> pod.getStatus().getPodIP();
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      default -> variable.getValue() == null ? "" : variable.getValue();
    };
  }
}
