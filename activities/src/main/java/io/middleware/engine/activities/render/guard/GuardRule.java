package io.middleware.engine.activities.render.guard;

/** Inspects one object and reports its violations. */
@FunctionalInterface
interface GuardRule {
  void inspect(InspectedObject object);
}
