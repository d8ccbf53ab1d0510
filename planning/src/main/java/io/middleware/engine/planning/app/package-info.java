/**
 * An App as it is desired and as it is deployed: components, groups, pods, volume claims, values;
 * its refusal.
 */
package io.middleware.engine.planning.app;
