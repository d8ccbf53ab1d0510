package io.middleware.engine.process;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Gives the metrics of libraries a text, and few series: the Temporal SDK asks for 69 buckets of
 * each of its timers, which would be some 5000 series for each worker.
 */
final class LibraryMetrics implements MeterFilter {
  /** Upper bounds, in nanoseconds as Micrometer wants them. */
  private static final double[] BUCKETS =
      Stream.of(10, 50, 250, 1000, 5000, 30_000)
          .map(Duration::ofMillis)
          .flatMapToDouble(bound -> DoubleStream.of(bound.toNanos()))
          .toArray();

  private static final DistributionStatisticConfig FEW_BUCKETS =
      DistributionStatisticConfig.builder()
          .percentilesHistogram(false)
          .serviceLevelObjectives(BUCKETS)
          .build();

  @Override
  public Meter.Id map(Meter.Id id) {
    return id.getDescription() == null
        ? new Meter.Id(
            id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(), text(id), id.getType())
        : id;
  }

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return isOfTemporal(id) ? FEW_BUCKETS.merge(config) : config;
  }

  private static String text(Meter.Id id) {
    return isOfTemporal(id)
        ? "Of the Temporal SDK: see its reference of metrics."
        : "Of the Java Operator SDK: see its documentation.";
  }

  private static boolean isOfTemporal(Meter.Id id) {
    return id.getName().startsWith("temporal_");
  }
}
