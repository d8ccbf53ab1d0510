package io.middleware.engine.api.placement;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the pods of a group are spread over. */
public enum Spread {
  /** Over zones, by the label of their nodes. */
  @JsonProperty("zone")
  ZONE("topology.kubernetes.io/zone"),

  /** Over nodes. */
  @JsonProperty("node")
  NODE("kubernetes.io/hostname");

  private final String topologyKey;

  Spread(String topologyKey) {
    this.topologyKey = topologyKey;
  }

  /** The label of nodes by which they are told apart. */
  public String topologyKey() {
    return topologyKey;
  }
}
