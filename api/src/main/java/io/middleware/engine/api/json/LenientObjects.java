package io.middleware.engine.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentStatus;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads an object with an unreadable spec or status as if it had none, in lists, watches and single
 * reads alike. Without this, one such object stops the informer for all others. Everything else is
 * read as fabric8 reads it. A spec outside an object is still read strictly.
 */
public final class LenientObjects {
  private static final Set<Class<?>> LENIENT =
      Set.of(
          AppSpec.class,
          AppStatus.class,
          ComponentSpec.class,
          ComponentStatus.class,
          GroupSpec.class,
          GroupStatus.class,
          OperationSpec.class,
          OperationStatus.class,
          PluginSpec.class);

  /** The API server itself reads no deeper. */
  private static final int DEEPEST = 10_000;

  private final Map<String, String> reasons = new ConcurrentHashMap<>();

  /** For {@code KubernetesClientBuilder.withKubernetesSerialization}. */
  public KubernetesSerialization serialization() {
    var factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(DEEPEST + 1).build())
            .build();
    var mapper = new ObjectMapper(factory);
    mapper.registerModule(new SimpleModule("lenient").setDeserializerModifier(new Modifier()));
    return new KubernetesSerialization(mapper, true);
  }

  /**
   * Which field of the object could not be read and why, when its spec or status was read as null
   * through this instance; for example {@code spec.paused: Cannot deserialize value of …}.
   */
  public Optional<String> whyUnreadable(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getUid()).map(reasons::get);
  }

  private void note(HasMetadata object, String reason) {
    if (object.getMetadata() != null && object.getMetadata().getUid() != null) {
      reasons.put(object.getMetadata().getUid(), reason);
    }
  }

  private final class Modifier extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription type, JsonDeserializer<?> deserializer) {
      return LENIENT.contains(type.getBeanClass())
          ? new LenientDeserializer(deserializer, LenientObjects.this::note)
          : deserializer;
    }
  }
}
