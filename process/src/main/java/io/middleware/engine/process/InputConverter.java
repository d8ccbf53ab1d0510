package io.middleware.engine.process;

import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.Failure;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DataConverterException;
import io.temporal.payload.context.SerializationContext;
import java.lang.reflect.Type;
import java.util.Optional;

/**
 * Distinguishes an input that cannot be read from other payloads. A workflow with such an input can
 * only fail. A result that cannot be read may be one of a newer worker, which will read it.
 */
final class InputConverter implements DataConverter {
  private final DataConverter converter;

  InputConverter(DataConverter converter) {
    this.converter = converter;
  }

  @Override
  public Object[] fromPayloads(Optional<Payloads> inputs, Class<?>[] classes, Type[] types) {
    try {
      return converter.fromPayloads(inputs, classes, types);
    } catch (DataConverterException e) {
      throw new UnreadableInputException(e);
    }
  }

  @Override
  public <T> T fromPayloads(int index, Optional<Payloads> content, Class<T> kind, Type type) {
    return converter.fromPayloads(index, content, kind, type);
  }

  @Override
  public <T> T fromPayload(Payload payload, Class<T> kind, Type type) {
    return converter.fromPayload(payload, kind, type);
  }

  @Override
  public <T> Optional<Payload> toPayload(T value) {
    return converter.toPayload(value);
  }

  @Override
  public Optional<Payloads> toPayloads(Object... values) {
    return converter.toPayloads(values);
  }

  @Override
  public RuntimeException failureToException(Failure failure) {
    return converter.failureToException(failure);
  }

  @Override
  public Failure exceptionToFailure(Throwable exception) {
    return converter.exceptionToFailure(exception);
  }

  @Override
  public DataConverter withContext(SerializationContext context) {
    return new InputConverter(converter.withContext(context));
  }
}
