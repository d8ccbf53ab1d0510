package io.middleware.engine.render.guard;

/** Inspects one object and reports its violations. */
@FunctionalInterface
interface GuardRule {
  void inspect(InspectedObject object);
}
