package io.middleware.engine.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Writes one JSON object per line: time, level, logger, message, thread, then the context fields,
 * and of an exception error and stack.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};
  private final JsonFactory json = new JsonFactory();

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var line = new ByteArrayOutputStream(512);
    try (JsonGenerator out = json.createGenerator(line)) {
      write(event, out);
      out.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a log line", e);
    }
    return line.toByteArray();
  }

  private static void write(ILoggingEvent event, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("time", event.getInstant().toString());
    out.writeStringField("level", event.getLevel().toString());
    out.writeStringField("logger", event.getLoggerName());
    out.writeStringField("message", event.getFormattedMessage());
    if (!event.getThreadName().isEmpty()) {
      out.writeStringField("thread", event.getThreadName()); // virtual threads may have none
    }
    for (Map.Entry<String, Object> field : LogFields.of(event).entrySet()) {
      out.writeFieldName(field.getKey());
      value(field.getValue(), out);
    }
    if (event.getThrowableProxy() != null) {
      out.writeStringField("error", CompactError.summary(event.getThrowableProxy()));
      out.writeStringField("stack", CompactError.stack(event.getThrowableProxy()));
    }
    out.writeEndObject();
  }

  private static void value(Object value, JsonGenerator out) throws IOException {
    switch (value) {
      case null -> out.writeNull();
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Double number -> out.writeNumber(number);
      case Boolean flag -> out.writeBoolean(flag);
      default -> out.writeString(value.toString());
    }
  }
}
