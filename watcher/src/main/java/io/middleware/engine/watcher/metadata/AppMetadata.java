package io.middleware.engine.watcher.metadata;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import java.util.List;
import java.util.Map;

/**
 * The metadata of an App that its namespace's ConfigMap shows: what runs and where, from the
 * statuses of its Groups.
 *
 * @param plugin that the App's spec names
 * @param runtime that the App's spec names
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AppMetadata(PluginRef plugin, RuntimeRef runtime, List<ComponentPart> components) {
  /** Only arrays break lines: one line for each component, group and node. */
  private static final ObjectWriter FORM =
      new ObjectMapper()
          .writer(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Spacing.AFTER)
                          .withObjectEntrySpacing(Spacing.AFTER)
                          .withObjectEmptySeparator("")
                          .withArrayEmptySeparator(""))
                  .withObjectIndenter(new DefaultPrettyPrinter.NopIndenter())
                  .withArrayIndenter(new DefaultIndenter(" ", "\n")));

  /**
   * @param runtime that is deployed or being deployed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ComponentPart(String name, RuntimeRef runtime, List<GroupPart> groups) {}

  record GroupPart(String name, List<NodePart> nodes) {}

  /**
   * @param address null while the pod has none
   * @param role null while the pod is not ready or has no known role
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record NodePart(String pod, String address, String role) {}

  static AppMetadata of(App app, List<Component> components, List<Group> groups) {
    var spec = app.getSpec();
    Map<String, List<Group>> byComponent =
        groups.stream().collect(groupingBy(group -> label(group, Labels.COMPONENT)));
    return new AppMetadata(
        spec == null ? null : spec.plugin(),
        spec == null ? null : spec.runtime(),
        components.stream()
            .map(component -> part(component, byComponent.getOrDefault(name(component), List.of())))
            .sorted(comparing(ComponentPart::name))
            .toList());
  }

  /** The metadata as JSON that people can read. */
  String text() {
    try {
      return FORM.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the metadata of an App as JSON", e);
    }
  }

  private static ComponentPart part(Component component, List<Group> groups) {
    var spec = component.getSpec();
    return new ComponentPart(
        name(component),
        spec == null ? null : spec.runtime(),
        groups.stream().map(AppMetadata::part).sorted(comparing(GroupPart::name)).toList());
  }

  private static GroupPart part(Group group) {
    var status = group.getStatus();
    var nodes =
        status == null || status.nodes() == null
            ? List.<NodePart>of()
            : status.nodes().stream()
                .map(node -> new NodePart(node.pod(), node.ip(), node.role()))
                .toList();
    return new GroupPart(label(group, Labels.GROUP), nodes);
  }

  private static String name(Component component) {
    return label(component, Labels.COMPONENT);
  }

  private static String label(HasMetadata object, String label) {
    return object.getMetadata().getLabels().getOrDefault(label, "");
  }
}
