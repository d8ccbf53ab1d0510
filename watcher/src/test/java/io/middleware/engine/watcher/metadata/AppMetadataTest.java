package io.middleware.engine.watcher.metadata;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.group;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.RunState;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppMetadataTest {

  @Test
  void shouldTellWhatRunsWhereOneLineEach() throws JsonProcessingException {
    // Given
    var shard = group("nodes", "shard-0", 2, RunState.RUNNING);
    shard.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .nodes(
                List.of(
                    new Node("cache-nodes-shard-0-0", "10.0.0.1", "primary", "r1", true),
                    new Node("cache-nodes-shard-0-1", null, null, "r1", false)))
            .build());
    var spare = group("nodes", "shard-1", 0, RunState.RUNNING);

    // When
    var text = AppMetadata.of(app(1), List.of(component("nodes", 1)), List.of(spare, shard)).text();

    // Then
    assertThat(text)
        .isEqualTo(
            """
            {"plugin": {"name": "redis", "version": "1.0.0"}, "components": [
             {"name": "nodes", "groups": [
              {"name": "shard-0", "nodes": [
               {"pod": "cache-nodes-shard-0-0", "address": "10.0.0.1", "role": "primary"},
               {"pod": "cache-nodes-shard-0-1"}
              ]},
              {"name": "shard-1", "nodes": []}
             ]}
            ]}""");
    assertThat(new ObjectMapper().readTree(text).at("/components/0/groups/0/nodes/0/role").asText())
        .isEqualTo("primary");
  }
}
