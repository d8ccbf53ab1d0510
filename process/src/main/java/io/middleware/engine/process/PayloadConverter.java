package io.middleware.engine.process;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;

/** How inputs and results are written into histories. */
public final class PayloadConverter {
  private PayloadConverter() {}

  /** Readable JSON that a worker of an older or newer version can still read. */
  public static DataConverter create() {
    ObjectMapper mapper =
        JacksonJsonPayloadConverter.newDefaultObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    return DefaultDataConverter.newDefaultInstance()
        .withPayloadConverterOverrides(new JacksonJsonPayloadConverter(mapper));
  }
}
