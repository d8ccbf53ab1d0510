/** An App as it is desired and as it is deployed: what validation and plans compare. */
package io.middleware.engine.planning.app;
