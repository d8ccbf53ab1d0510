package io.middleware.engine.api;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the pods of a group are spoken to, by the Plugin that their label names. It is kept on the
 * Group, because a Plugin may be edited or deleted while pods of it run.
 *
 * @param plugins by name of the Plugin object, that of the last write first
 */
public record AgentsByPlugin(Map<String, Agents> plugins) {
  /** Pods of a group may have more than two Plugins only after changes that failed in a row. */
  private static final int MOST = 4;

  private static final Pattern ENTRY = Pattern.compile("([^=\\s]+)=(\\d{1,5})/([^/\\s]*)/(\\S*)");
  private static final String SWITCHOVER = "switchover";

  public AgentsByPlugin {
    plugins = Collections.unmodifiableMap(new LinkedHashMap<>(plugins));
  }

  /**
   * The agents in the pods of one Plugin.
   *
   * @param port 0 when there are none
   * @param tlsSecret empty when they talk without TLS
   * @param switchover whether a primary can be asked to switch over
   */
  public record Agents(int port, String tlsSecret, boolean switchover) {

    /** Those in the pods of a component of this type. */
    public static Agents of(PluginSpec plugin, String type) {
      var agent = plugin.agent();
      var switchover = plugin.switchesOver(type);
      return plugin.hasAgents()
          ? new Agents(
              agent.port(), agent.tls() == null ? "" : agent.tls().secretName(), switchover)
          : new Agents(0, "", false);
    }

    /** Whether they are reached in the same way. */
    public boolean listenLike(Agents other) {
      return port == other.port && tlsSecret.equals(other.tlsSecret);
    }

    /** For people. */
    @Override
    public String toString() {
      return port == 0
          ? "no agents"
          : "agents at port " + port + (tlsSecret.isEmpty() ? "" : " with TLS of " + tlsSecret);
    }
  }

  /** What the Group keeps; empty for one that an earlier engine has written. */
  public static AgentsByPlugin of(HasMetadata group) {
    var annotations = group.getMetadata().getAnnotations();
    var text = annotations == null ? null : annotations.get(Labels.AGENTS);
    var plugins = new LinkedHashMap<String, Agents>();
    if (text != null) {
      var entries = ENTRY.matcher(text);
      while (entries.find()) {
        var port = Integer.parseInt(entries.group(2));
        var switchover = entries.group(4).equals(SWITCHOVER);
        plugins.put(entries.group(1), new Agents(port, entries.group(3), switchover));
      }
    }
    return new AgentsByPlugin(plugins);
  }

  public Optional<Agents> find(String plugin) {
    return Optional.ofNullable(plugins.get(plugin));
  }

  /** The same after a write with this Plugin; pods of the earlier ones may remain. */
  public AgentsByPlugin with(String plugin, Agents agents) {
    var all = new LinkedHashMap<String, Agents>();
    all.put(plugin, agents);
    plugins.entrySet().stream()
        .filter(other -> !other.getKey().equals(plugin))
        .limit(MOST - 1)
        .forEach(other -> all.put(other.getKey(), other.getValue()));
    return new AgentsByPlugin(all);
  }

  /** The value of the annotation. */
  public String text() {
    return plugins.entrySet().stream()
        .map(
            one ->
                "%s=%d/%s/%s"
                    .formatted(
                        one.getKey(),
                        one.getValue().port(),
                        one.getValue().tlsSecret(),
                        one.getValue().switchover() ? SWITCHOVER : ""))
        .collect(joining(" "));
  }
}
