package io.middleware.engine.render.guard;

import java.util.List;

/**
 * An App stays in its namespace: no data from a volume of another one, and no pods that keep those
 * of others away from nodes.
 */
record ForeignNamespaceRule(String namespace) implements GuardRule {

  @Override
  public void inspect(InspectedObject object) {
    object
        .claimSpecs()
        .map(claim -> claim.at("dataSourceRef", "namespace"))
        .forEach(
            source ->
                object.allowOnly(
                    source, List.of(namespace), "data come from namespace " + namespace + " only"));
    object
        .podSpecs()
        .flatMap(pod -> pod.at("affinity").everywhere())
        .filter(term -> term.has("topologyKey"))
        .forEach(term -> affinity(object, term));
  }

  /** Kubernetes keeps an anti-affinity both ways: pods of others would find no node. */
  private void affinity(InspectedObject object, TreeCursor term) {
    object.refuseIfPresent(
        term.at("namespaceSelector"),
        "affinity is to pods of namespace " + namespace + " only; leave it out");
    term.at("namespaces")
        .items()
        .forEach(
            other ->
                object.allowOnly(
                    other,
                    List.of(namespace),
                    "affinity is to pods of namespace " + namespace + " only"));
  }
}
