package io.middleware.engine.process;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Gives the metrics of libraries a text, and few series. The Temporal SDK asks for 69 buckets of
 * each of its timers, and has one for each pair of workflow and activity: some 20 000 series for a
 * worker that has seen everything.
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
        ? new Meter.Id(id.getName(), tags(id), id.getBaseUnit(), text(id), id.getType())
        : id;
  }

  /** Only how long activities take is told apart by the activity. */
  private static Tags tags(Meter.Id id) {
    return isOfTemporal(id) && isTimerOrRequest(id)
        ? Tags.of(
            id.getTags().stream()
                .filter(tag -> !tag.getKey().equals("workflow_type"))
                .filter(tag -> !tag.getKey().equals("activity_type") || isOfExecution(id))
                .toList())
        : Tags.of(id.getTagsAsIterable());
  }

  private static boolean isTimerOrRequest(Meter.Id id) {
    return id.getType() == Meter.Type.TIMER || id.getName().contains("request");
  }

  private static boolean isOfExecution(Meter.Id id) {
    return id.getName().endsWith("_execution_latency");
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
