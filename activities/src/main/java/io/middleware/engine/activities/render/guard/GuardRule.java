package io.middleware.engine.activities.render.guard;

/** Looks at one object and reports what it may not hold. */
@FunctionalInterface
interface GuardRule {
  void inspect(InspectedObject object);
}
