package io.middleware.engine.process;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;

/** How workflow inputs and results are encoded in histories. */
public final class PayloadConverter {
  private PayloadConverter() {}

  /** Readable JSON that older and newer workers can read. */
  public static DataConverter create() {
    ObjectMapper mapper =
        JacksonJsonPayloadConverter.newDefaultObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    return new InputConverter(
        DefaultDataConverter.newDefaultInstance()
            .withPayloadConverterOverrides(new JacksonJsonPayloadConverter(mapper)));
  }
}
