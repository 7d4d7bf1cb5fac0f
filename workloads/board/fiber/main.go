// The message board in Fiber.
package main

import (
	"log"

	"github.com/gofiber/fiber/v3"

	"board/app"
)

func main() {
	b, err := app.Open()
	if err != nil {
		log.Fatal(err)
	}
	server := fiber.New(fiber.Config{JSONEncoder: b.Encode})
	server.Get("/home", func(c fiber.Ctx) error {
		return c.JSON(app.AtHome)
	})
	server.Get("/latest", func(c fiber.Ctx) error {
		list, err := b.Posts.Latest(app.Reader)
		if err != nil {
			return err
		}
		return c.JSON(app.Of(list))
	})
	log.Fatal(server.Listen(b.Address, fiber.ListenConfig{DisableStartupMessage: true}))
}
