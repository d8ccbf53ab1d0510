/** A change as an App's spec controls it and its status shows it: settings, plan, tasks. */
package io.middleware.engine.api.change;
