package io.middleware.engine.watcher;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;

/** Removes a tag that the operator library sets on some events only, which Prometheus refuses. */
final class UniformTagsFilter implements MeterFilter {

  static MeterRegistry before(MeterRegistry registry) {
    var filtered = new CompositeMeterRegistry();
    filtered.config().meterFilter(new UniformTagsFilter());
    filtered.add(registry);
    return filtered;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    return id.getName().equals("events.received")
        ? id.replaceTags(
            id.getTags().stream().filter(tag -> !tag.getKey().equals("action")).toList())
        : id;
  }
}
