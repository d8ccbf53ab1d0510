package io.middleware.engine.activities.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.cluster.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Stands for the spec of a test, without what may be changed while it runs. */
public final class SpecDigest {
  private static final List<String> CHANGEABLE = List.of("cancel", "ttlSecondsAfterFinished");

  private SpecDigest() {}

  public static String of(KubernetesClient client, Object spec) {
    Map<?, ?> tree = client.getKubernetesSerialization().convertValue(spec, Map.class);
    var fixed = new TreeMap<String, Object>();
    tree.forEach((key, value) -> fixed.put(String.valueOf(key), value));
    fixed.keySet().removeAll(CHANGEABLE);
    return Hashing.sha256().hashString(CanonicalJson.of(fixed), UTF_8).toString().substring(0, 16);
  }
}
