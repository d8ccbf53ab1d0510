package io.middleware.engine.proto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.middleware.engine.proto.agent.v1.Agent2Proto;
import io.middleware.engine.proto.tool.v1.ToolInvokerProto;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Agents are built and shipped by others: what is on the wire is only ever added to. */
class WireCompatibilityTest {
  @Test
  void shouldKeepEveryNameNumberAndTypeOnTheWire() throws IOException {
    // Given
    var published = published();

    // When
    var current = Stream.of(Agent2Proto.getDescriptor(), ToolInvokerProto.getDescriptor());

    // Then
    assertThat(current.flatMap(WireCompatibilityTest::file))
        .as("wire.txt: add a line for what is new, never change or remove one")
        .containsExactlyInAnyOrderElementsOf(published);
  }

  private static List<String> published() throws IOException {
    try (var file = WireCompatibilityTest.class.getResourceAsStream("/wire.txt")) {
      return new String(file.readAllBytes(), UTF_8).lines().filter(l -> !l.isBlank()).toList();
    }
  }

  private static Stream<String> file(FileDescriptor file) {
    return Stream.of(
            file.getServices().stream().flatMap(WireCompatibilityTest::service),
            file.getMessageTypes().stream().flatMap(WireCompatibilityTest::message),
            file.getEnumTypes().stream().flatMap(WireCompatibilityTest::enumeration))
        .flatMap(lines -> lines);
  }

  private static Stream<String> service(ServiceDescriptor service) {
    return service.getMethods().stream()
        .map(
            method ->
                "rpc %s: %s%s -> %s%s"
                    .formatted(
                        method.getFullName(),
                        method.isClientStreaming() ? "stream " : "",
                        method.getInputType().getFullName(),
                        method.isServerStreaming() ? "stream " : "",
                        method.getOutputType().getFullName()));
  }

  private static Stream<String> message(Descriptor message) {
    return Stream.concat(
        Stream.of("message " + message.getFullName()),
        message.getFields().stream().map(WireCompatibilityTest::field));
  }

  private static String field(FieldDescriptor field) {
    return "field %s = %d: %s%s"
        .formatted(
            field.getFullName(),
            field.getNumber(),
            field.isRepeated() ? "repeated " : "",
            type(field));
  }

  private static String type(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case ENUM -> field.getEnumType().getFullName();
      case MESSAGE -> field.getMessageType().getFullName();
      default -> field.toProto().getType().name();
    };
  }

  private static Stream<String> enumeration(EnumDescriptor type) {
    return type.getValues().stream()
        .map(value -> "value %s = %d".formatted(value.getFullName(), value.getNumber()));
  }
}
