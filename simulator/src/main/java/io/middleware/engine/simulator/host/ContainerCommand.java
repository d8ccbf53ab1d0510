package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command of a container, with every {@code $(NAME)} filled in as the kubelet does. */
record ContainerCommand(List<String> arguments) {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([^)]*)\\)");

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

  /**
   * @param variables by name
   */
  static ContainerCommand of(Container container, Map<String, String> variables) {
    return new ContainerCommand(
        Stream.concat(container.getCommand().stream(), container.getArgs().stream())
            .map(argument -> filled(argument, variables))
            .toList());
  }

  /** {@code $$} stands for {@code $}; a name that is not known stays as it is. */
  static String filled(String text, Map<String, String> variables) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null
                        ? "$"
                        : variables.getOrDefault(match.group(1), match.group())));
  }

  /** The variables of a container by name, but for those from ConfigMaps and Secrets. */
  static Map<String, String> environment(Pod pod, Container container) {
    Map<String, String> environment = new HashMap<>();
    container.getEnv().forEach(one -> environment.put(one.getName(), value(pod, one)));
    return environment;
  }

  private static String value(Pod pod, EnvVar variable) {
    var field = variable.getValueFrom() == null ? null : variable.getValueFrom().getFieldRef();
    if (field != null) {
      return DownwardApi.value(pod, field.getFieldPath());
    }
    return variable.getValue() == null ? "" : variable.getValue();
  }
}
