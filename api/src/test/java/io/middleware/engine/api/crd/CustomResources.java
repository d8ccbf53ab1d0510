package io.middleware.engine.api.crd;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The custom resource definitions as the Java types declare them. */
final class CustomResources {
  static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          App.class,
          Backup.class,
          BackupStore.class,
          Component.class,
          Group.class,
          Operation.class,
          Plugin.class,
          IntegrationTest.class,
          LoadTest.class);

  /** Rules are for what people write: a rollback must be able to write what was there before. */
  private static final Set<Class<?>> WRITTEN_BY_THE_ENGINE = Set.of(Component.class, Group.class);

  private static final Map<String, Class<? extends CustomResource<?, ?>>> BY_KIND =
      KINDS.stream().collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .build();

  private CustomResources() {}

  /** The finished definitions, in the order of {@link #KINDS}. */
  static List<CustomResourceDefinition> generate(Path scratch) throws IOException {
    Files.createDirectories(scratch);
    var finish = new Finish();
    new CRDGenerator()
        .withObjectMapper(
            new ObjectMapper().setAnnotationIntrospector(new TypedLists()),
            new KubernetesSerialization())
        .inOutputDir(scratch.toFile())
        .withParallelGenerationEnabled(false)
        .withPostProcessor(finish)
        .customResourceClasses(List.copyOf(KINDS))
        .generate();
    return KINDS.stream().map(kind -> finish.finished.get(kind.getSimpleName())).toList();
  }

  static String yaml(CustomResourceDefinition crd) throws IOException {
    return "# Generated from the Java types of the api module; see CrdYamlTest.\n"
        + YAML.writeValueAsString(crd).replaceAll("(?m)^( *(?:min|max)imum: -?\\d+)\\.0$", "$1");
  }

  static JSONSchemaProps schema(CustomResourceDefinition crd) {
    return crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
  }

  /** The generator refuses lists of anything; what they hold is put in afterwards. */
  private static final class TypedLists extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JavaType refineSerializationType(
        MapperConfig<?> config, Annotated annotated, JavaType type) throws JsonMappingException {
      return type.isCollectionLikeType() && type.getContentType().isJavaLangObject()
          ? config.getTypeFactory().constructCollectionType(List.class, String.class)
          : super.refineSerializationType(config, annotated, type);
    }
  }

  private static final class Finish implements CRDPostProcessor {
    private final Map<String, CustomResourceDefinition> finished = new HashMap<>();

    @Override
    public HasMetadata process(HasMetadata generated, String crdVersion) {
      var crd = (CustomResourceDefinition) generated;
      var type = BY_KIND.get(crd.getSpec().getNames().getKind());
      var schema = schema(crd);
      SchemaFinish.describe(schema, type);
      describeRoot(schema);
      var parts = ((java.lang.reflect.ParameterizedType) type.getGenericSuperclass());
      SchemaFinish.finish(
          schema.getProperties().get("spec"), (Class<?>) parts.getActualTypeArguments()[0]);
      var status = (Class<?>) parts.getActualTypeArguments()[1];
      if (status == Void.class) {
        schema.getProperties().remove("status");
        crd.getSpec().getVersions().getFirst().setSubresources(null);
      } else {
        SchemaFinish.finish(schema.getProperties().get("status"), status);
      }
      schema.setRequired(List.of("spec"));
      if (WRITTEN_BY_THE_ENGINE.contains(type)) {
        SchemaFinish.dropRules(schema);
      }
      sortColumns(crd, type);
      finished.put(type.getSimpleName(), crd);
      return crd;
    }

    private static void describeRoot(JSONSchemaProps schema) {
      var all = new LinkedHashMap<String, JSONSchemaProps>();
      all.put("apiVersion", text("Version of this schema: middleware.io/v1."));
      all.put("kind", text("The kind of this object."));
      all.put(
          "metadata",
          new JSONSchemaPropsBuilder()
              .withType("object")
              .addToProperties(
                  "name",
                  new JSONSchemaPropsBuilder().withType("string").withMaxLength(253L).build())
              .build());
      all.putAll(schema.getProperties());
      schema.setProperties(all);
    }

    private static JSONSchemaProps text(String description) {
      return new JSONSchemaPropsBuilder().withType("string").withDescription(description).build();
    }

    /** The generator sorts columns by path; people want them as declared. */
    private static void sortColumns(CustomResourceDefinition crd, Class<?> type) {
      var declared =
          Arrays.stream(type.getAnnotationsByType(AdditionalPrinterColumn.class))
              .map(AdditionalPrinterColumn::name)
              .toList();
      crd.getSpec()
          .getVersions()
          .getFirst()
          .getAdditionalPrinterColumns()
          .sort(
              Comparator.comparingInt(
                  (CustomResourceColumnDefinition column) -> declared.indexOf(column.getName())));
    }
  }
}
